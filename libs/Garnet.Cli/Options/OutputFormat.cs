// How replies are printed. A plain value; no thread owns it.
namespace Garnet.Cli.Options;

/// <summary>The forms of output.</summary>
internal enum OutputFormat
{
    /// <summary>For people: types, quotes, indices.</summary>
    Standard,

    /// <summary>For programs: the bytes of values.</summary>
    Raw,

    /// <summary>Comma-separated values.</summary>
    Csv,

    /// <summary>JSON, with the text of values as it is.</summary>
    Json,

    /// <summary>JSON in ASCII: bytes that are no printable ASCII are escaped inside the strings.</summary>
    QuotedJson,
}
