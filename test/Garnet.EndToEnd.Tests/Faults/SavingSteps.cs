// The steps of saving at which the server is killed, by name. Immutable.
namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// A step is what is done and to which file: the snapshot or the log, of the generation there was or the one being made; files written
/// aside count by themselves. Tests hold these lists to what a server does.
/// </summary>
internal static class SavingSteps
{
    /// <summary>A snapshot, from its file to its name.</summary>
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
    /// A rewrite of the log, with a snapshot and a generation before it: the old generation is closed, the new one opened, its snapshot
    /// saved, the old files deleted.
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

    /// <summary>A first start with a log where a snapshot is: a log is announced, takes the snapshot over, and is opened.</summary>
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
    /// A start where append-only files of another server are: a log is announced, opened, its snapshot is saved, and then it counts.
    /// </summary>
    public static readonly string[] TakeOver =
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

    /// <summary>A start after a kill: what stands behind the log's end is cut off, and a new generation begun.</summary>
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
