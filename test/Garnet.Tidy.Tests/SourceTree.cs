// Reads the checkout's files once for the tidy tests. Immutable after construction; any thread.
using Garnet.Testing;

namespace Garnet.Tidy.Tests;

/// <summary>The project's own files: everything but build output and installed packages.</summary>
internal static class SourceTree
{
    // Files of the template "garnet-module" belong to other people's projects.
    private static readonly string[] SkippedFolders =
    [
        "bin",
        "obj",
        "node_modules",
        "TestResults",
        "artifacts",
        ".git",
        ".vs",
        ".idea",
        "garnet-module",
    ];

    /// <summary>Paths relative to the root, with forward slashes.</summary>
    public static IReadOnlyList<string> Files { get; } = [.. Walk(RepositoryRoot.Path).Order(StringComparer.Ordinal)];

    /// <summary>All C# files below one of the given top folders (all of them when none is given).</summary>
    public static IEnumerable<string> CSharpFiles(params string[] folders) =>
        Files.Where(file =>
            file.EndsWith(".cs", StringComparison.Ordinal)
            && (folders.Length == 0 || folders.Any(folder => file.StartsWith(folder, StringComparison.Ordinal)))
        );

    /// <summary>A file's lines, by its relative path.</summary>
    public static string[] Lines(string file) => File.ReadAllLines(RepositoryRoot.Combine(file));

    /// <summary>A file's text, by its relative path.</summary>
    public static string Text(string file) => File.ReadAllText(RepositoryRoot.Combine(file));

    private static IEnumerable<string> Walk(string folder)
    {
        foreach (string file in Directory.EnumerateFiles(folder))
            yield return Path.GetRelativePath(RepositoryRoot.Path, file).Replace('\\', '/');
        foreach (string child in Directory.EnumerateDirectories(folder))
        {
            if (SkippedFolders.Contains(Path.GetFileName(child)))
                continue;
            foreach (string file in Walk(child))
                yield return file;
        }
    }
}
