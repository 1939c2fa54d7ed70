// The folder that a plain publish creates: the one that GARNET_PUBLISHED names, where continuous integration has already created it, or one
// created here.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

[Collection(PackagesCollection.Name)]
public sealed class PublishedFolderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-published-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void It_is_compiled_ahead_of_time_and_starts()
    {
        string output = Environment.GetEnvironmentVariable("GARNET_PUBLISHED") is { Length: > 0 } made
            ? made
            : Path.Combine(_folder, "out");
        if (!Directory.Exists(output))
        {
            string build = Path.Combine(_folder, "build");
            PackedPackages.RunDotnet(
                RepositoryRoot.Path,
                new Dictionary<string, string>(),
                "publish",
                "src/GarnetServer",
                "-c",
                "Release",
                "-o",
                output,
                "--artifacts-path",
                build,
                "-v",
                "q",
                "--nologo"
            );
        }

        string[] ours = [.. Directory.GetFiles(output, "GarnetCache.*.dll"), Path.Combine(output, "garnet.dll")];
        Assert.True(ours.Length > 3);
        Assert.All(
            ours,
            static file =>
            {
                using FileStream library = File.OpenRead(file);
                Assert.True(PackedPackages.IsCompiledAheadOfTime(library), file);
            }
        );
        var run = ClientProcess.Run(Path.Combine(output, OperatingSystem.IsWindows() ? "garnet.exe" : "garnet"), ["--version"]);
        Assert.Equal(0, run.ExitCode);
        Assert.StartsWith("Garnet server v=", run.Output, StringComparison.Ordinal);
    }
}
