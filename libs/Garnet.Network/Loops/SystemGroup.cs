// Groups of the operating system, for the files of Unix sockets. Linux and macOS; called before sockets are opened, by one thread.
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Garnet.Network.Loops;

/// <summary>Finds a group's number, and gives a file to a group.</summary>
internal static partial class SystemGroup
{
    private const uint Unchanged = uint.MaxValue;

    /// <summary>The number of the group with this name, or null.</summary>
    public static uint? Find(string name)
    {
        nint entry = FindEntry(name);
        // struct group: its name, its password, then its number.
        return entry == 0 ? null : unchecked((uint)Marshal.ReadInt32(entry, 2 * nint.Size));
    }

    /// <summary>Makes the group the owner of a file.</summary>
    /// <exception cref="SocketException">The system refuses: the process is neither privileged nor a member of the group.</exception>
    public static void Give(string path, uint group)
    {
        if (ChangeOwner(path, Unchanged, group) != 0)
            throw new SocketException((int)SocketError.AccessDenied);
    }

    [LibraryImport("libc", EntryPoint = "getgrnam", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint FindEntry(string name);

    [LibraryImport("libc", EntryPoint = "chown", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwner(string path, uint owner, uint group);
}
