// The folders of libraries, from the tree. Stateless; any thread.
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Packages;

/// <summary>Which libraries are packages: not the generator, which is part of another one, nor the verbs of the command.</summary>
internal static class LibraryFolders
{
    /// <summary>The names of the libraries that are packages.</summary>
    public static IReadOnlyList<string> Packages { get; } =
    [.. Directory.GetDirectories(RepositoryRoot.Combine("libs")).Select(static folder => Path.GetFileName(folder)).Where(IsPackage)];

    private static bool IsPackage(string library) =>
        !File.ReadAllText(RepositoryRoot.Combine("libs", library, library + ".csproj"))
            .Contains("<IsPackable>false</IsPackable>", StringComparison.Ordinal);
}
