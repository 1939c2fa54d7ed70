// Runs the microbenchmarks selected on the command line (BenchmarkDotNet's own arguments), or one of: `growth [keys]`, a histogram of
// inserts while the index grows; `trees [elements] [bytes per node]`, the cost of the trees of large collections by size; `sliding`, a
// cache's reads with sliding expiry compared with the usual scheme; `kestrel-tls --tls-port port ...`, a server on Kestrel's TLS for
// benchmark/tls.py; `memory <store> <keys>`, the memory per key.
using System.Globalization;
using BenchmarkDotNet.Running;
using Garnet.Microbenchmarks;
using Garnet.Store.Collections.Trees;

if (args is ["growth", ..])
{
    GrowthHistogram.Run(args.Length > 1 ? long.Parse(args[1], CultureInfo.InvariantCulture) : 10_000_000);
}
else if (args is ["trees", ..])
{
    TreeCurve.Run(
        args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 1_000_000,
        args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : TreeStore.DefaultNodeBytes
    );
}
else if (args is ["sliding"])
{
    await SlidingCacheComparison.RunAsync();
}
else if (args is ["kestrel-tls", ..])
{
    await KestrelTlsServer.RunAsync(args.AsMemory(1));
}
else if (args is ["memory", var store, var keys])
{
    new StoreBenchmarks
    {
        Store = store,
        Keys = int.Parse(keys, CultureInfo.InvariantCulture),
        Threads = 1,
    }.Load();
}
else
{
    BenchmarkSwitcher.FromAssembly(typeof(StoreBenchmarks).Assembly).Run(args);
}
