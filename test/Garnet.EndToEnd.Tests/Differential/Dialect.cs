// Which reference's commands a generated history uses. Plain values.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The reference for a history; commands that it answers differently are left out.</summary>
internal enum Dialect
{
    /// <summary>Redis 7.0, run live: commands and options with the same replies as in Valkey 9.1.</summary>
    Redis70,

    /// <summary>Valkey 9.1, recorded: all commands.</summary>
    Valkey91,
}
