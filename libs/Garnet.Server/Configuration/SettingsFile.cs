// Replaces a small file of settings as a whole. Stateless.
using Garnet.Store;

namespace Garnet.Server.Configuration;

/// <summary>Writes configuration and ACL files, such that a crash leaves the old or the new one.</summary>
internal static class SettingsFile
{
    private const UnixFileMode ModeOfNewFile =
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    /// <summary>
    /// Replaces or creates a file. It is written beside the target of a symbolic link, so that the link remains. An existing file's mode is
    /// kept: it may contain a password.
    /// </summary>
    public static void Replace(string path, byte[] content)
    {
        string target = new FileInfo(path).LinkTarget is null ? path : File.ResolveLinkTarget(path, returnFinalTarget: true)!.FullName;
        string aside = $"{target}.{Guid.NewGuid():N}";
        try
        {
            var create = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!HostSystem.IsWindows)
                create.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            using (var file = new FileStream(aside, create))
            {
                file.Write(content);
                if (!HostSystem.IsWindows)
                    File.SetUnixFileMode(file.SafeFileHandle, File.Exists(target) ? File.GetUnixFileMode(target) : ModeOfNewFile);
                file.Flush(flushToDisk: true);
            }

            // Replacing preserves other properties of the file on Windows, such as its access control list; elsewhere both are one rename.
            if (File.Exists(target))
                File.Replace(aside, target, destinationBackupFileName: null);
            else
                File.Move(aside, target);
        }
        finally
        {
            File.Delete(aside);
        }
    }
}
