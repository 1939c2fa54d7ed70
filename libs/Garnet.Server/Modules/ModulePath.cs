// Which files modules may be loaded from. Stateless.
namespace Garnet.Server.Modules;

/// <summary>Applies the option modules-dir: with a folder, modules are loaded from this folder and the folders in it only.</summary>
internal static class ModulePath
{
    /// <summary>The file that a path names, with all links followed.</summary>
    /// <param name="path">As given by the client or an option; relative to the folder, or to the current directory if there is none.</param>
    /// <param name="folder">The folder; empty for none.</param>
    /// <exception cref="ModuleLoadException">The file is outside of the folder, or the path is none.</exception>
    public static string Resolve(string path, string folder)
    {
        if (path.Length == 0 || path.Contains('\0', StringComparison.Ordinal))
            throw new ModuleLoadException("the path is empty or contains a zero byte");
        if (folder.Length == 0)
            return Path.GetFullPath(path);
        string allowed = FollowLinks(Path.GetFullPath(folder));
        string file = FollowLinks(Path.GetFullPath(path, allowed));
        return file.StartsWith(allowed + Path.DirectorySeparatorChar, StringComparison.Ordinal)
            ? file
            : throw new ModuleLoadException($"{path} is not in {folder}, from where modules may be loaded (modules-dir)");
    }

    // Each part may be a link, and its target again.
    private static string FollowLinks(string path)
    {
        const int MaxLinks = 40;
        int links = 0;
        string root = Path.GetPathRoot(path)!;
        string done = root;
        Stack<string> left = new(path[root.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries).Reverse());
        while (left.TryPop(out string? part))
        {
            string next = Path.Combine(done, part);
            if (new FileInfo(next).LinkTarget is not { } target)
            {
                done = next;
                continue;
            }

            if (++links > MaxLinks)
                throw new ModuleLoadException($"{path} has too many links");
            string full = Path.GetFullPath(target, done);
            done = root;
            foreach (string each in full[root.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries).Reverse())
                left.Push(each);
        }

        return done;
    }
}
