// Error replies shared by several commands. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md), since clients match on them.
namespace Garnet.Engine.Requests;

/// <summary>Texts of common error replies, without the leading '-' and the line end.</summary>
internal static class ErrorText
{
    /// <summary>The key holds another type.</summary>
    public static ReadOnlySpan<byte> WrongType => "WRONGTYPE Operation against a key holding the wrong kind of value"u8;

    /// <summary>Arguments do not follow the command's grammar.</summary>
    public static ReadOnlySpan<byte> Syntax => "ERR syntax error"u8;

    /// <summary>An argument or value is not a 64-bit integer.</summary>
    public static ReadOnlySpan<byte> NotInteger => "ERR value is not an integer or out of range"u8;

    /// <summary>An argument or value is not a floating-point number.</summary>
    public static ReadOnlySpan<byte> NotFloat => "ERR value is not a valid float"u8;

    /// <summary>The source key is missing.</summary>
    public static ReadOnlySpan<byte> NoSuchKey => "ERR no such key"u8;

    /// <summary>A command or transaction whose effects do not fit one contiguous buffer.</summary>
    public static ReadOnlySpan<byte> TooLong =>
        "ERR a command or transaction of about 2 GB cannot be logged or queued as a whole; send it in parts"u8;

    /// <summary>A name, a pattern or an option's value that is too long to be made into text.</summary>
    public static ReadOnlySpan<byte> TextTooLong => "ERR an argument of this command may be 16 MB long at most"u8;

    /// <summary>Memory is exhausted.</summary>
    public static ReadOnlySpan<byte> OutOfMemory => "OOM command not allowed when used memory > 'maxmemory'."u8;

    /// <summary>A string would exceed proto-max-bulk-len.</summary>
    public static ReadOnlySpan<byte> StringTooLong => "ERR string exceeds maximum allowed size (proto-max-bulk-len)"u8;

    /// <summary>A database index is out of range.</summary>
    public static ReadOnlySpan<byte> DatabaseOutOfRange => "ERR DB index is out of range"u8;

    /// <summary>Source and destination are the same key.</summary>
    public static ReadOnlySpan<byte> SameObject => "ERR source and destination objects are the same"u8;

    /// <summary>The client must authenticate first.</summary>
    public static ReadOnlySpan<byte> NoAuth => "NOAUTH Authentication required."u8;

    /// <summary>An offset is out of range.</summary>
    public static ReadOnlySpan<byte> OffsetOutOfRange => "ERR offset is out of range"u8;

    /// <summary>The data set is being loaded.</summary>
    public static ReadOnlySpan<byte> Loading => "LOADING Garnet is loading the dataset in memory"u8;

    /// <summary>The server is a replica.</summary>
    public static ReadOnlySpan<byte> ReadOnlyReplica => "READONLY You can't write against a read only replica."u8;

    /// <summary>Too few replicas are up to date.</summary>
    public static ReadOnlySpan<byte> NoReplicas => "NOREPLICAS Not enough good replicas to write."u8;

    /// <summary>The data of a replica may be old.</summary>
    public static ReadOnlySpan<byte> PrimaryDown => "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."u8;

    /// <summary>The same, by the name for extended-redis-compatibility.</summary>
    public static ReadOnlySpan<byte> LoadingAsRedis => "LOADING Redis is loading the dataset in memory"u8;

    /// <summary>Writes are rejected because a snapshot failed.</summary>
    public static ReadOnlySpan<byte> SnapshotFailed =>
        "MISCONF Garnet is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Garnet logs for details about the RDB error."u8;

    /// <summary>The same, by the name for extended-redis-compatibility.</summary>
    public static ReadOnlySpan<byte> SnapshotFailedAsRedis =>
        "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error."u8;

    /// <summary>Writes are rejected because the append-only log cannot be written.</summary>
    public static ReadOnlySpan<byte> LogFailed(string problem) =>
        System.Text.Encoding.UTF8.GetBytes("MISCONF Errors writing to the AOF file: " + problem);

    public static ReadOnlySpan<byte> NoAclFile =>
        "ERR This instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a configuration file set) in order to store users in the configuration."u8;
}
