// The identifiers of the history of changes that this server's data is a result of. Thread-safe.
using Garnet.Server.Basics;

namespace Garnet.Server.Effects;

/// <summary>
/// A position in the stream means something only together with the identifier of its history. After a promotion the former one stays
/// valid up to the position where the new one began, so that replicas of the former primary can continue.
/// </summary>
internal sealed class ReplicationHistory
{
    /// <summary>The property of a snapshot that names its history.</summary>
    public const string Property = "repl-id";

    /// <summary>Length of an identifier.</summary>
    public const int IdLength = 40;

    private static readonly string NoId = new('0', IdLength);

    private volatile Ids _ids = new(ServerIdentity.NewId(), NoId, -1);

    /// <summary>The present history.</summary>
    public string Id => _ids.Current;

    /// <summary>The former one; zeros when there is none.</summary>
    public string SecondId => _ids.Second;

    /// <summary>The first byte of the stream that does not belong to the former history; -1 when there is none.</summary>
    public long SecondEnd => _ids.SecondEnd;

    /// <summary>Begins an unrelated history.</summary>
    public void Change() => _ids = new Ids(ServerIdentity.NewId(), NoId, -1);

    /// <summary>Takes over another server's history with its data.</summary>
    public void Adopt(string id) => _ids = new Ids(id, NoId, -1);

    /// <summary>Begins a new history that continues the present one.</summary>
    /// <param name="position">Position in the stream where it begins.</param>
    /// <param name="id">Its identifier, when another server has chosen it.</param>
    public void Branch(long position, string? id = null) => _ids = new Ids(id ?? ServerIdentity.NewId(), _ids.Current, position + 1);

    /// <summary>Begins a new history that continues a saved one.</summary>
    public void Continue(string id, long position) => _ids = new Ids(ServerIdentity.NewId(), id, position + 1);

    /// <summary>Whether a replica with this history may continue at a byte of the stream, as far as the history is concerned.</summary>
    public bool Includes(string id, long nextByte)
    {
        Ids ids = _ids;
        return id.Equals(ids.Current, StringComparison.OrdinalIgnoreCase)
            || (id.Equals(ids.Second, StringComparison.OrdinalIgnoreCase) && nextByte <= ids.SecondEnd);
    }

    private sealed record Ids(string Current, string Second, long SecondEnd);
}
