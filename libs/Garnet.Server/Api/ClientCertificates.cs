// Whether clients present certificates. Immutable, any thread.
namespace Garnet;

/// <summary>Whether clients present certificates under TLS.</summary>
public enum ClientCertificates
{
    /// <summary>Every client must present a valid one.</summary>
    Yes,

    /// <summary>None is requested.</summary>
    No,

    /// <summary>A certificate is optional, but must be valid.</summary>
    Optional,
}
