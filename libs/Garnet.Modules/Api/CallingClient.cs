// The client that called a module's command. Lives on the stack of one call.
using Garnet.Engine.Execution;
using Garnet.Modules.Running;
using Garnet.Server.Acl;

namespace Garnet.Modules;

/// <summary>Who called the command. A call from the append-only log or from the primary has no client of its own.</summary>
public readonly ref struct CallingClient
{
    private readonly ref byte _context;

    internal CallingClient(ref byte context) => _context = ref context;

    /// <summary>The number of the connection, as CLIENT ID replies it; 0 where there is none.</summary>
    public long Id => Session.Id;

    /// <summary>The name, as CLIENT SETNAME has set it; empty when it has not.</summary>
    public string Name => Session.Names.Client;

    /// <summary>The peer as <c>ip:port</c>, IPv6 in brackets, or <c>path:0</c> for a Unix socket.</summary>
    public string Address => Session.Connection.RemoteAddress;

    /// <summary>The name of the user; "default" when the client has not logged in.</summary>
    public string UserName => Session.Login.User?.Name ?? "default";

    /// <summary>2 or 3: the version of the protocol of the replies.</summary>
    public int ProtocolVersion => ContextReference.Of(ref _context).Reply.ProtocolVersion;

    private ClientSession Session => ContextReference.Of(ref _context).Client;
}
