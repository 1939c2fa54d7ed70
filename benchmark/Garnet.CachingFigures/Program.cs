// Measures caches, locks and limits, ours beside others. Usage: [scenario] [host:port of a server], "here" for a server in the process,
// "benchmarks" with BenchmarkDotNet's own arguments, or "instance" or "echo host:port" for a child.
using BenchmarkDotNet.Running;

namespace Garnet.CachingFigures;

/// <summary>Runs a scenario.</summary>
internal static class Program
{
    private static async Task Main(string[] arguments)
    {
        string address = arguments.Length > 1 ? arguments[1] : "127.0.0.1:6379";
        switch (arguments.FirstOrDefault())
        {
            case "hits":
                await HitFigures.RunAsync(address);
                break;
            case "removals":
                await RemovalFigures.RunAsync(address, arguments.Length > 2 ? int.Parse(arguments[2]) : 1_000_000);
                break;
            case "exchanges":
                await ExchangeFigures.RunAsync(address);
                break;
            case "echo":
                ExchangeFigures.Echo(address);
                break;
            case "locks":
                await LockFigures.RunAsync(address);
                break;
            case "here":
                await HitFigures.InProcessAsync();
                await LockFigures.InProcessAsync();
                break;
            case "benchmarks":
                BenchmarkSwitcher.FromTypes([typeof(CacheBenchmarks)]).Run(arguments[1..]);
                break;
            case "instance":
                await RemovalFigures.InstanceAsync(address);
                break;
            default:
                Console.WriteLine("Usage: hits|removals|exchanges|locks host:port, here, or benchmarks");
                break;
        }
    }
}
