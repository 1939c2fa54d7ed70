// Where a denied command came from. Immutable; any thread.
namespace Garnet.Server.Acl;

/// <summary>What ACL LOG calls the context.</summary>
internal enum DenialContext
{
    /// <summary>The client sent it on its own.</summary>
    TopLevel,

    /// <summary>It was a command of a transaction, queued or run.</summary>
    Transaction,

    /// <summary>A script or function called it.</summary>
    Script,
}
