// Files of the repository that tests generate and check: pages and baselines. One test at a time per file.
namespace Garnet.Testing;

/// <summary>
/// With GARNET_WRITE_DOCS=1 a test writes its file anew before it checks it, so that a change appears in the commit that makes it.
/// </summary>
internal static class GeneratedDocument
{
    private const string Switch = "GARNET_WRITE_DOCS";

    /// <summary>Writes a file if asked to, and returns what it contains: with line feeds alone, empty if it is missing.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="expected">What it should contain.</param>
    public static string WriteAndRead(string path, string expected)
    {
        if (Environment.GetEnvironmentVariable(Switch) == "1")
            File.WriteAllText(path, expected);
        return File.Exists(path) ? File.ReadAllText(path).ReplaceLineEndings("\n") : "";
    }

    /// <summary>What to do when the file is not as expected.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="project">The folder of the test project.</param>
    /// <param name="test">The class that generates it.</param>
    public static string Remedy(string path, string project, string test) =>
        $"{Path.GetRelativePath(RepositoryRoot.Path, path)} is out of date. Write it anew and commit it: "
        + $"{Switch}=1 dotnet test test/{project} --filter {test}";
}
