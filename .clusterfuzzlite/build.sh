#!/usr/bin/env bash
# Builds every fuzz target into $OUT with its seed corpus, as ClusterFuzzLite and OSS-Fuzz ask for it.
set -euo pipefail
cd "$SRC/fixpoint"

# The libraries of the distribution are built with libstdc++: so are we.
export CFLAGS CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
cmake -S . -B "$WORK/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER="$CXX" \
  -DCMAKE_CXX_FLAGS="$CXXFLAGS" -DCMAKE_EXE_LINKER_FLAGS="-Wl,-rpath,\$ORIGIN/lib" \
  -DFIXPOINT_TCMALLOC=OFF -DFIXPOINT_LIBFUZZER=ON
cmake --build "$WORK/build" --target fuzz_targets

mkdir -p "$OUT/lib"
for target in "$WORK"/build/*_fuzz; do
  name=$(basename "$target")
  cp "$target" "$OUT/$name"
  (cd corpus/fuzz/"${name%_fuzz}" && zip -q "$OUT/${name}_seed_corpus.zip" ./*)
  cp .clusterfuzzlite/words.dict "$OUT/$name.dict"
  # What the runner's image does not have.
  ldd "$target" | awk '$3 ~ /^\// {print $3}' | grep -Ev '/(libc|libm|libpthread|libdl|librt)\.so' |
    xargs -r cp -t "$OUT/lib"
done
