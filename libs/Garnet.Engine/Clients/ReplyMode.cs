// Whether a client gets replies (CLIENT REPLY).
namespace Garnet.Engine.Clients;

/// <summary>Reply modes of CLIENT REPLY.</summary>
internal enum ReplyMode : byte
{
    /// <summary>Every command is answered.</summary>
    On,

    /// <summary>Nothing is answered.</summary>
    Off,

    /// <summary>The command after this one is not answered.</summary>
    SkipNext,

    /// <summary>This command is not answered; afterwards replies are on.</summary>
    Skip,
}
