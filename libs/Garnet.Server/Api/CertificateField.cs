// The field of a client certificate that contains its user name. Immutable, any thread.
namespace Garnet;

/// <summary>Which field of a client certificate names the user to log in.</summary>
public enum CertificateField
{
    /// <summary>None: certificates do not log clients in.</summary>
    Off,

    /// <summary>The subject's common name.</summary>
    CommonName,

    /// <summary>A URI among the subject's alternative names.</summary>
    Uri,
}
