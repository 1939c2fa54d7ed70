// Names the headings of the help text. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>The heading an option stands under in the help text.</summary>
public enum OptionGroup
{
    /// <summary>Endpoints and threads.</summary>
    Network,

    /// <summary>Encryption.</summary>
    Tls,

    /// <summary>Who may connect and what a client may use.</summary>
    Clients,

    /// <summary>Data and memory.</summary>
    Data,

    /// <summary>Saving.</summary>
    Persistence,

    /// <summary>Log, slow log and debugging.</summary>
    Diagnostics,

    /// <summary>Options of Valkey that have nothing to act on here.</summary>
    Valkey,
}
