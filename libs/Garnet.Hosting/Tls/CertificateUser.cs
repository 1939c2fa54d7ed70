// The user that a client's certificate names. Pure functions, any thread.
using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Garnet.Hosting.Tls;

/// <summary>Reads the field that <c>tls-auth-clients-user</c> says.</summary>
internal static class CertificateUser
{
    private const string CommonName = "2.5.4.3";
    private const string AlternativeName = "2.5.29.17";

    // GeneralName ::= CHOICE { ... uniformResourceIdentifier [6] IA5String ... }
    private static readonly Asn1Tag Uri = new(TagClass.ContextSpecific, 6);

    /// <summary>The names to try, in order; none when the certificate has no such field, or one that cannot be decoded.</summary>
    public static IReadOnlyList<string> NamesIn(X509Certificate2 certificate, CertificateField field)
    {
        try
        {
            return field switch
            {
                CertificateField.CommonName => [.. CommonNames(certificate).Take(1)],
                CertificateField.Uri => Uris(certificate),
                _ => [],
            };
        }
        catch (Exception e) when (e is AsnContentException or CryptographicException)
        {
            // An authority signs what a client asks for, and few look into its extensions.
            return [];
        }
    }

    private static IEnumerable<string> CommonNames(X509Certificate2 certificate) =>
        from part in certificate.SubjectName.EnumerateRelativeDistinguishedNames(reversed: false)
        where !part.HasMultipleElements && part.GetSingleElementType().Value == CommonName
        select part.GetSingleElementValue();

    private static List<string> Uris(X509Certificate2 certificate)
    {
        var found = new List<string>();
        if (certificate.Extensions.FirstOrDefault(static extension => extension.Oid?.Value == AlternativeName) is not { } extension)
            return found;
        AsnReader names = new AsnReader(extension.RawData, AsnEncodingRules.DER).ReadSequence();
        while (names.HasData)
        {
            if (names.PeekTag().HasSameClassAndValue(Uri))
                found.Add(names.ReadCharacterString(UniversalTagNumber.IA5String, Uri));
            else
                names.ReadEncodedValue();
        }

        return found;
    }
}
