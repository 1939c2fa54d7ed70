// The folder that a plain publish creates: the one that GARNET_PUBLISHED names, where continuous integration has already created it, or one
// created here.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[Collection(PackagesCollection.Name)]
public sealed class PublishedFolderTests(PublishedFolder published) : IClassFixture<PublishedFolder>
{
    // What the framework's own packages leave to compile; with generic code over the server's types that is not compiled ahead, 990.
    private const int MaxCompiled = 700;

    private static readonly string[][] Requests =
    [
        ["SET", "s", "value"],
        ["MSET", "s", "1", "t", "2"],
        ["INCR", "s"],
        ["GET", "s"],
        ["EXPIRE", "s", "100"],
        ["LPUSH", "l", "a", "b"],
        ["LRANGE", "l", "0", "-1"],
        ["HSET", "h", "f", "1"],
        ["HGETALL", "h"],
        ["SADD", "set", "a", "1"],
        ["SMEMBERS", "set"],
        ["ZADD", "z", "1.5", "a", "2", "b"],
        ["ZRANGE", "z", "0", "-1", "WITHSCORES"],
        ["ZPOPMIN", "z"],
        ["XADD", "x", "*", "f", "v"],
        ["XRANGE", "x", "-", "+"],
        ["SCAN", "0"],
        ["PUBLISH", "c", "m"],
        ["EVAL", "return redis.call('incr', KEYS[1])", "1", "s"],
        ["SCRIPT", "LOAD", "return 1"],
        ["INFO"],
    ];

    private string Program => Path.Combine(published.Path, OperatingSystem.IsWindows() ? "garnet.exe" : "garnet");

    [Fact]
    public void It_is_compiled_ahead_of_time_and_starts()
    {
        string[] ours = [.. Directory.GetFiles(published.Path, "GarnetCache.*.dll"), Path.Combine(published.Path, "garnet.dll")];
        Assert.True(ours.Length > 3);
        Assert.All(
            ours,
            static file =>
            {
                using FileStream library = File.OpenRead(file);
                Assert.True(PackedPackages.IsCompiledAheadOfTime(library), file);
            }
        );
        var run = ClientProcess.Run(Program, ["--version"]);
        Assert.Equal(0, run.ExitCode);
        Assert.StartsWith("Garnet server v=", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Little_is_left_to_compile_for_the_first_requests()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-first-").FullName;
        string listing = Path.Combine(folder, "compiled");
        KeyValuePair<string, string>[] environment = [new("DOTNET_JitStdOutFile", listing), new("DOTNET_JitDisasmSummary", "1")];
        try
        {
            using (var server = GarnetProcess.StartProgramIn(folder, [Program], environment, "--save", ""))
            using (RespExchange client = server.Connect())
            {
                foreach (string[] request in Requests)
                    Assert.NotEqual('-', client.ExecuteText(request)[0]);
                client.Send("SHUTDOWN\r\n"u8);
                // Any exit code: the runtime closes this listing while other threads may still compile, and then ends in free().
                _ = server.WaitForExit(TimeSpan.FromSeconds(60));
            }

            int compiled = File.ReadLines(listing).Count(static line => line.Contains("Tier0", StringComparison.Ordinal));
            Assert.InRange(compiled, 1, MaxCompiled);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
