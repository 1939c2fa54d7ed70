// All packages, built once for the tests that inspect them. Built by the first of them; read by all.
using System.Diagnostics;
using System.Reflection.PortableExecutable;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Packages;

/// <summary>
/// The folder of packages: the one that GARNET_PACKAGES names, where continuous integration has already made them, or one made here, of the
/// libraries that the tests were built with if that was a release.
/// </summary>
public sealed class PackedPackages : IDisposable
{
    private const string Prefix = "garnetcache";

    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(9);

    private readonly Lazy<string> _feed;
    private readonly string _machine;
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-packages-").FullName;

    public PackedPackages()
    {
        // Only when a test asks: the classes of the collection that look at something else need no packages, whose making takes minutes.
        _feed = new Lazy<string>(Pack);
        // Packages of these versions must not remain in the cache for later restores.
        Variables = new Dictionary<string, string> { ["NUGET_PACKAGES"] = Path.Combine(_folder, "restored") };
        _machine = Directory.CreateDirectory(Path.Combine(_folder, "machine")).FullName;
        LinkMachinePackages();
    }

    /// <summary>The folder of packages, to be used as a package source.</summary>
    public string Feed => _feed.Value;

    /// <summary>Environment variables for programs that restore from it.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; }

    /// <summary>The machine's cache of restored packages.</summary>
    public static string MachinePackages =>
        Environment.GetEnvironmentVariable("NUGET_PACKAGES") is { Length: > 0 } path
            ? path
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");

    /// <summary>The program of the SDK.</summary>
    public static string Dotnet => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } path ? path : "dotnet";

    /// <summary>A new folder for one test.</summary>
    public string NewFolder(string name) => Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;

    /// <summary>A new folder, outside of the repository, whose only package source is ours.</summary>
    public string NewSource(string name)
    {
        string folder = NewFolder(name);
        File.WriteAllText(
            Path.Combine(folder, "nuget.config"),
            $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="local" value="{Feed}" />
              </packageSources>
              <fallbackPackageFolders>
                <add key="machine" value="{_machine}" />
              </fallbackPackageFolders>
            </configuration>
            """
        );
        return folder;
    }

    /// <summary>Whether a library contains ahead-of-time compiled code.</summary>
    public static bool IsCompiledAheadOfTime(Stream library)
    {
        using var reader = new PEReader(library);
        return reader.PEHeaders.CorHeader!.ManagedNativeHeaderDirectory.Size > 0;
    }

    /// <summary>Runs the SDK; if it fails, fails with its output.</summary>
    public static string RunDotnet(string folder, IReadOnlyDictionary<string, string> variables, params string[] arguments)
    {
        var start = new ProcessStartInfo(Dotnet, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        // Variables that `dotnet test` sets for its own builds must not affect these.
        foreach (
            string name in start
                .Environment.Keys.Where(static name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase))
                .ToList()
        )
        {
            start.Environment.Remove(name);
        }

        foreach ((string name, string value) in variables)
            start.Environment[name] = value;
        // A build node that stays running would keep the output open and the test waiting. The compiler that stays does not.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["UseSharedCompilation"] = "true";
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(Timeout))
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"dotnet {string.Join(' ', arguments)} did not end within {Timeout.TotalSeconds} s");
        }

        string printed = output.Result + error.Result;
        return process.ExitCode == 0
            ? printed
            : throw new InvalidOperationException($"dotnet {string.Join(' ', arguments)}: exit code {process.ExitCode}\n{printed}");
    }

    private string Pack()
    {
        string feed = Environment.GetEnvironmentVariable("GARNET_PACKAGES") is { Length: > 0 } made ? made : Path.Combine(_folder, "feed");
        string[] pack = ["pack", "packaging/packages.slnf", "-c", "Release", "-o", feed, "-v", "q", "--nologo"];
        // Other tests are running what is built: nothing of that may be built again.
        string[] apart = ["--artifacts-path", Path.Combine(_folder, "build")];
        string[] asBuilt = ["-p:PacksAsBuilt=true", "-p:BuildProjectReferences=false"];
        string[] parts = FaultScale.IsFull ? [] : ["-p:CompilesForWindows=false"];
        string[] arguments = [.. pack, .. parts, .. GarnetProcess.IsRelease ? asBuilt : apart];
        if (!Directory.Exists(feed))
            RunDotnet(RepositoryRoot.Path, new Dictionary<string, string>(), arguments);
        return feed;
    }

    // All packages of the machine's cache but our own: one of the same version would be used instead of the one that was just packed.
    private void LinkMachinePackages()
    {
        foreach (string package in Directory.GetDirectories(MachinePackages))
        {
            string name = Path.GetFileName(package);
            if (!name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase))
                Directory.CreateSymbolicLink(Path.Combine(_machine, name), package);
        }
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
