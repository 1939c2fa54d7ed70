// Runs the microbenchmarks chosen on the command line (BenchmarkDotNet's own arguments), or `growth [keys]`: the histogram of inserts while the index grows.
using System.Globalization;
using BenchmarkDotNet.Running;
using Garnet.Microbenchmarks;

if (args is ["growth", ..])
    GrowthHistogram.Run(args.Length > 1 ? long.Parse(args[1], CultureInfo.InvariantCulture) : 10_000_000);
else
    BenchmarkSwitcher.FromAssembly(typeof(StoreBenchmarks).Assembly).Run(args);
