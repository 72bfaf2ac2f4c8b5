# Writes OUTPUT, the definitions of assets.h, from the files ASSETS, which are separated by bars and in the order of
# the header. Texts are raw literals, in pieces that are short enough for every compiler.
set(names page_style page_script page_html filter_html problem_html finding_html costs_html latency_html history_html
  chart_script chart_licence)
string(REPLACE "|" ";" assets "${ASSETS}")
set(text "#include \"reports/assets.h\"\n\nnamespace fixpoint::reports {\n\n")
foreach(name asset IN ZIP_LISTS names assets)
  file(READ "${asset}" content)
  string(APPEND text "std::string_view ${name}() {\n  return")
  string(LENGTH "${content}" left)
  set(from 0)
  while(from LESS left)
    string(SUBSTRING "${content}" ${from} 12000 piece)
    string(APPEND text "\n      R\"fixpoint(${piece})fixpoint\"")
    math(EXPR from "${from} + 12000")
  endwhile()
  string(APPEND text ";\n}\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}\n}  // namespace fixpoint::reports\n")
