// Which server's vocabulary a generated history uses. Plain values.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The reference that a history is meant for: what it does not know the same way is left out.</summary>
internal enum Dialect
{
    /// <summary>Redis 7.0, run live: commands and options that Valkey 9.1 answers in the same way.</summary>
    Redis70,

    /// <summary>Valkey 9.1, recorded: everything.</summary>
    Valkey91,
}
