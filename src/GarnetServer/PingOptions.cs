// The options that `garnet --ping` has beside the server's. One thread, at start.
using System.Diagnostics.CodeAnalysis;
using CommandLine;

namespace Garnet.Tool;

/// <summary>What the client shows to a server that asks for a certificate. CommandLineParser fills it.</summary>
internal sealed class PingOptions
{
    private const string CertificateName = "cert";
    private const string KeyName = "key";

    /// <summary>The certificate's option, as it is written.</summary>
    public const string CertificateOption = "--" + CertificateName;

    /// <summary>The private key's option, as it is written.</summary>
    public const string KeyOption = "--" + KeyName;

    /// <summary>
    /// Path of the client's certificate, PEM. A list of one: of a single value the parser does not notice that it is missing at the end.
    /// </summary>
    [Option(CertificateName, Min = 1, Max = 1)]
    public IEnumerable<string> CertificateWords { get; set; } = [];

    /// <summary>Path of its private key, PEM; a list of one.</summary>
    [Option(KeyName, Min = 1, Max = 1)]
    public IEnumerable<string> KeyWords { get; set; } = [];

    /// <summary>Path of the client's certificate, or null.</summary>
    public string? Certificate => CertificateWords.FirstOrDefault();

    /// <summary>Path of its private key, or null.</summary>
    public string? Key => KeyWords.FirstOrDefault();

    /// <summary>Reads them from among the server's.</summary>
    /// <exception cref="OptionException">One is missing, or given twice.</exception>
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(PingOptions))]
    public static PingOptions Parse(string[] arguments)
    {
        using var parser = new Parser(static settings =>
        {
            settings.AutoHelp = false;
            settings.AutoVersion = false;
            settings.HelpWriter = null;
            settings.IgnoreUnknownArguments = true;
        });
        ParserResult<PingOptions> result = parser.ParseArguments(static () => new PingOptions(), arguments);
        if (result is NotParsed<PingOptions>)
            throw new OptionException(Describe(result.Errors.First()));
        if ((result.Value.Certificate is null) != (result.Value.Key is null))
        {
            throw new OptionException(
                $"{CertificateOption} and {KeyOption} belong together: the client's certificate and its private key, PEM"
            );
        }

        return result.Value;
    }

    private static string Describe(Error error) =>
        error switch
        {
            RepeatedOptionError repeated => $"--{repeated.NameInfo.LongName} is given twice",
            NamedError missing => $"--{missing.NameInfo.LongName} needs a value: a file in PEM form",
            _ => $"{CertificateOption} and {KeyOption}: {error.Tag}",
        };
}
