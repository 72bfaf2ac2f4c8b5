module example.io/strangers

go 1.21
