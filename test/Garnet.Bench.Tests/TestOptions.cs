// Options for tests. Stateless; any thread.
using Garnet.Bench.Options;

namespace Garnet.Bench.Tests;

internal static class TestOptions
{
    /// <summary>Options as the command line would set them; the environment is empty.</summary>
    public static BenchOptions Parse(params string[] arguments) => BenchArguments.Parse(arguments, static _ => null);
}
