// Finds the checkout that the running tests were built from. Immutable after first use; any thread.
namespace Garnet.Testing;

/// <summary>The repository's root folder: the nearest parent of the test binaries that holds Garnet.sln.</summary>
internal static class RepositoryRoot
{
    private static readonly Lazy<string> Found = new(Find);

    /// <summary>Full path, without a trailing separator.</summary>
    public static string Path => Found.Value;

    /// <summary>Joins path parts below the root.</summary>
    public static string Combine(params string[] parts) => System.IO.Path.Combine([Path, .. parts]);

    private static string Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "Garnet.sln")))
                return folder.FullName;
        }

        throw new InvalidOperationException($"No parent of {AppContext.BaseDirectory} holds Garnet.sln.");
    }
}
