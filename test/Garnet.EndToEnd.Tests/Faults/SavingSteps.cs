// The named steps of saving at which the server is killed. Immutable.
namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// A step is an operation on a file: the snapshot or the log, of the current generation or the next one; temporary files are separate.
/// Tests check these lists against what a server does.
/// </summary>
internal static class SavingSteps
{
    /// <summary>A snapshot, from the creation of its file to the rename.</summary>
    public static readonly string[] Snapshot =
    [
        "create snapshot aside",
        "write snapshot aside",
        "cut snapshot aside",
        "sync snapshot aside",
        "rename snapshot aside",
        "sync folder",
    ];

    /// <summary>
    /// A rewrite of the log, after a snapshot and a generation: the old generation is closed, the new one opened, its snapshot saved, the
    /// old files deleted.
    /// </summary>
    public static readonly string[] Rewrite =
    [
        "write old log 0",
        "sync old log 0",
        "truncate old log 0",
        "delete old log 1",
        "create new log 0",
        "write new log 0",
        "sync new log 0",
        "create new log 1",
        "write manifest aside 1",
        "rename manifest aside 1",
        "create new base aside",
        "write new base aside",
        "cut new base aside",
        "sync new base aside",
        "rename new base aside",
        "sync folder",
        "write manifest aside 2",
        "rename manifest aside 2",
        "delete old base",
        "delete old log 0",
    ];

    /// <summary>
    /// A first start with a log where there is a snapshot: the log is announced in the manifest, takes over the snapshot, and is opened.
    /// </summary>
    public static readonly string[] FirstStart =
    [
        "write manifest aside 1",
        "rename manifest aside 1",
        "import new base",
        "create new log 0",
        "write new log 0",
        "sync new log 0",
        "create new log 1",
        "write manifest aside 2",
        "rename manifest aside 2",
    ];

    /// <summary>
    /// A start with append-only files of another server: the log is announced in the manifest, opened, its snapshot is saved, and then it
    /// becomes valid.
    /// </summary>
    public static readonly string[] Import =
    [
        "write manifest aside 1",
        "rename manifest aside 1",
        "create new log 0",
        "write new log 0",
        "sync new log 0",
        "create new log 1",
        "create new base aside",
        "write new base aside",
        "cut new base aside",
        "sync new base aside",
        "rename new base aside",
        "sync folder",
        "write manifest aside 2",
        "rename manifest aside 2",
    ];

    /// <summary>A start after a kill: what follows the log's valid end is cut off, and a new generation started.</summary>
    public static readonly string[] Start =
    [
        "truncate old log 0",
        "delete old log 1",
        "create new log 0",
        "write new log 0",
        "sync new log 0",
        "create new log 1",
        "write manifest aside 1",
        "rename manifest aside 1",
    ];
}
