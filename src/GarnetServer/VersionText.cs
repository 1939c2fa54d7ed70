// What --version prints. Immutable, any thread.
using Garnet.Server.Basics;

namespace Garnet.Tool;

/// <summary>
/// One line of the form that redis-server and valkey-server print, which programs search for <c>v=</c>: the version, the revision that it
/// was built from, the allocator, the size of a pointer, and which build it is.
/// </summary>
internal static class VersionText
{
    public static string Line { get; } =
        $"Garnet server v={ServerVersion.Current} sha={Revision} malloc=native bits={8 * nint.Size} build={(ServerVersion.IsNative ? "native" : "managed")}";

    // As many digits as the others' tools expect; zeros for a build from files without a repository. 0 after the colon: no uncommitted
    // changes are known of.
    private static string Revision => $"{(ServerVersion.Revision.Length >= 8 ? ServerVersion.Revision[..8] : "00000000")}:0";
}
