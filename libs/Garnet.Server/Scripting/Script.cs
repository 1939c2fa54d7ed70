// A compiled script. Immutable but for its place in the cache; shared by all threads.
using Garnet.Lua.Execution;

namespace Garnet.Server.Scripting;

/// <summary>A script's source, code and flags.</summary>
internal sealed class Script(ScriptHash hash, byte[] source, Prototype code, ScriptFlags flags)
{
    public ScriptHash Hash => hash;

    public byte[] Source => source;

    public Prototype Code => code;

    public ScriptFlags Flags => flags;

    /// <summary>Its node in the order of use, if it may be dropped; guarded by the cache.</summary>
    public LinkedListNode<Script>? Order { get; set; }
}
