// An application with the caches, published as one native file. Minutes, so in full runs alone; its build reports warnings in every run.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Packages;

public sealed class NativeCachingTests
{
    [FullRunFact]
    public void A_native_application_with_caches_locks_and_limits_has_no_warnings_and_runs()
    {
        string made = Directory.CreateTempSubdirectory("garnet-native-").FullName;
        try
        {
            string folder = Path.Combine(made, "out");
            string[] publish =
            [
                "publish",
                "test/Garnet.NativeCaching",
                "-c",
                "Release",
                "-p:PublishAot=true",
                "-p:RunAnalyzers=false",
                "-warnaserror",
                "-o",
                folder,
                "--artifacts-path",
                Path.Combine(made, "build"),
                "-v",
                "q",
                "--nologo",
            ];
            PackedPackages.RunDotnet(RepositoryRoot.Path, new Dictionary<string, string>(), publish);
            var run = ClientProcess.Run(Path.Combine(folder, "native-caching"), []);
            Assert.Equal((0, "done"), (run.ExitCode, run.Output.Trim()));
        }
        finally
        {
            Directory.Delete(made, recursive: true);
        }
    }
}
