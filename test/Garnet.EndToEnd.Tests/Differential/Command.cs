// One generated command and the connection that sends it. Immutable; any thread.
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>A command as sent; a name that begins with '@' is a step that the runner implements itself.</summary>
/// <param name="Connection">Index of the sending connection.</param>
/// <param name="Arguments">The command's name and its arguments.</param>
internal sealed record Command(int Connection, byte[][] Arguments)
{
    /// <summary>A complete iteration with SCAN and the options that follow; the reply is the set of keys.</summary>
    public const string ScanAll = "@SCANALL";

    /// <summary>The name in upper case.</summary>
    public string Name => Arguments.Length == 0 ? "" : Encoding.Latin1.GetString(Arguments[0]).ToUpperInvariant();

    /// <summary>The argument in upper case, empty if there is none.</summary>
    public string Argument(int index) => index < Arguments.Length ? Encoding.Latin1.GetString(Arguments[index]).ToUpperInvariant() : "";

    /// <summary>The command with non-printable bytes escaped.</summary>
    public override string ToString() => $"[{Connection}] {string.Join(' ', Arguments.Select(RespText.Quote))}";
}
