// Runs the microbenchmarks chosen on the command line (BenchmarkDotNet's own arguments).
using BenchmarkDotNet.Running;

BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
return 0;
