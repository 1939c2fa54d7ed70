// Names the field of a client's certificate that holds its user. Immutable, any thread.
namespace Garnet.Server.Configuration;

/// <summary>Where a client's certificate names the user that it is let in as.</summary>
public enum CertificateField
{
    /// <summary>Nowhere: certificates let nobody in.</summary>
    Off,

    /// <summary>The subject's common name.</summary>
    CommonName,

    /// <summary>A URI among the subject's alternative names.</summary>
    Uri,
}
