// Names whether clients show certificates. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Whether clients show certificates under TLS.</summary>
public enum ClientCertificates
{
    /// <summary>Every client, a valid one.</summary>
    Yes,

    /// <summary>None is asked for.</summary>
    No,

    /// <summary>Who shows one shows a valid one.</summary>
    Optional,
}
