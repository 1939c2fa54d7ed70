// How a module calls a command. Immutable.
namespace Garnet.Modules;

/// <summary>Flags of <c>Call</c>.</summary>
[Flags]
public enum CallFlags
{
    /// <summary>
    /// With the server's rights, whatever memory is left; the command's effect is not replicated, as it follows from the module's command,
    /// and an error is thrown as a <see cref="CallException"/>.
    /// </summary>
    None = 0,

    /// <summary>The called command is replicated as the effect, and the module's command is not.</summary>
    Replicate = 1 << 0,

    /// <summary>The call is refused unless the client's user may call the command on its keys.</summary>
    AsUser = 1 << 1,

    /// <summary>The call is refused if memory is exhausted and the command may add data.</summary>
    RespectOom = 1 << 2,

    /// <summary>The call is refused if the command may write.</summary>
    NoWrites = 1 << 3,

    /// <summary>An error is a reply that <see cref="CallReply.IsError"/> tells, instead of an exception.</summary>
    ErrorsAsReplies = 1 << 4,

    /// <summary>Everything is checked and nothing executed: the reply is OK, or the error.</summary>
    DryRun = 1 << 5,

    /// <summary>The reply has the types of RESP3, such as maps; otherwise those of RESP2.</summary>
    Resp3 = 1 << 6,
}
