// What a part of the server keeps with one client.
namespace Garnet.Engine.Clients;

/// <summary>Belongs to a client, and to a part of the server that clients need not know.</summary>
internal abstract class ClientPart
{
    /// <summary>Bytes that count as the client's (CLIENT LIST tot-mem).</summary>
    public abstract long MemoryBytes { get; }
}
