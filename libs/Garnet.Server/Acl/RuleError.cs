// Why a rule is refused. Immutable.
namespace Garnet.Server.Acl;

/// <summary>The reasons for which a rule cannot be applied.</summary>
internal enum RuleError
{
    /// <summary>It was applied.</summary>
    None,

    /// <summary>It is not understood, or a pattern has a space or a zero byte.</summary>
    Syntax,

    /// <summary>There is no such command or category.</summary>
    UnknownCommand,

    /// <summary>A key pattern after all keys have been allowed.</summary>
    AllKeysAllowed,

    /// <summary>A channel pattern after all channels have been allowed.</summary>
    AllChannelsAllowed,

    /// <summary>The password to be removed is not one of the user's.</summary>
    UnknownPassword,

    /// <summary>Not a SHA-256 in lower-case hexadecimal digits.</summary>
    BadPasswordHash,

    /// <summary>A first argument of a subcommand.</summary>
    FirstArgumentOfSubcommand,

    /// <summary>A database that no server can have.</summary>
    DatabaseOutOfRange,

    /// <summary>There is no such role.</summary>
    UnknownRole,
}
