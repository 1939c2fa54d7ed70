// What the server knows of scripts. Thread-safe.
namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent.</summary>
internal sealed class ServerScripts
{
    public ScriptCache Cache { get; } = new();
}
