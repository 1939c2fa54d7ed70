// The sections of the help text. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>The section of an option in the help text.</summary>
internal enum OptionGroup
{
    /// <summary>Endpoints and threads.</summary>
    Network,

    /// <summary>Encryption.</summary>
    Tls,

    /// <summary>Who may connect and the resources of a client.</summary>
    Clients,

    /// <summary>Data and memory.</summary>
    Data,

    /// <summary>Saving.</summary>
    Persistence,

    /// <summary>Primaries and replicas.</summary>
    Replication,

    /// <summary>Log, slow log and debugging.</summary>
    Diagnostics,

    /// <summary>Options of Valkey without an effect here.</summary>
    Valkey,
}
