// The modes that a client has turned on or off. Part of a ClientSession: written by its thread, read by others for CLIENT LIST.

namespace Garnet.Engine.Clients;

/// <summary>Modes of one connection that commands set and RESET clears.</summary>
internal struct ClientModes
{
    /// <summary>CLIENT REPLY mode.</summary>
    public ReplyMode Reply { get; set; }

    /// <summary>READONLY.</summary>
    public bool IsReadOnly { get; set; }

    /// <summary>CLIENT NO-EVICT.</summary>
    public bool NoEvict { get; set; }

    /// <summary>CLIENT IMPORT-SOURCE.</summary>
    public bool IsImportSource { get; set; }

    /// <summary>MONITOR.</summary>
    public bool IsMonitor { get; set; }

    /// <summary>CLIENT CAPA REDIRECT: the client supports redirections.</summary>
    public bool CanRedirect { get; set; }
}
