// What `dotnet publish` makes of the server. Owned by the tests of the class.
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Packages;

/// <summary>The folder that GARNET_PUBLISHED names, or one published here and removed on disposal.</summary>
public sealed class PublishedFolder : IDisposable
{
    private readonly string _made = Directory.CreateTempSubdirectory("garnet-published-").FullName;

    public PublishedFolder()
    {
        Path =
            Environment.GetEnvironmentVariable("GARNET_PUBLISHED") is { Length: > 0 } given && Directory.Exists(given)
                ? given
                : System.IO.Path.Combine(_made, "out");
        if (Directory.Exists(Path))
            return;
        string build = System.IO.Path.Combine(_made, "build");
        string[] publish = ["publish", "src/GarnetServer", "-c", "Release", "-o", Path, "--artifacts-path", build, "-v", "q", "--nologo"];
        PackedPackages.RunDotnet(RepositoryRoot.Path, new Dictionary<string, string>(), publish);
    }

    /// <summary>The folder.</summary>
    public string Path { get; }

    public void Dispose() => Directory.Delete(_made, recursive: true);
}
