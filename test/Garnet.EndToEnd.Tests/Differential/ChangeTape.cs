// Records a store's change notifications. Written by any thread of a server, read by the test's.
using System.Text;
using Garnet.Store.Changes;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Each line is one change: a kind, a database and a key, or a flush or swap of whole databases.</summary>
internal sealed class ChangeTape : IKeyChangeObserver
{
    private readonly Lock _gate = new();
    private List<(KeyChangeKind Kind, int Database, string Key)> _changes = [];

    /// <inheritdoc/>
    public void OnChange(in KeyChange change) => Add(change.Kind, change.Database, Encoding.Latin1.GetString(change.Key));

    /// <inheritdoc/>
    /// <remarks>Recorded as <see cref="KeyChangeKind.None"/> without a key.</remarks>
    public void OnFlushed(int database) => Add(KeyChangeKind.None, database, "");

    /// <inheritdoc/>
    /// <remarks>Recorded as <see cref="KeyChangeKind.None"/>, with the other database in place of a key.</remarks>
    public void OnSwapped(int first, int second) => Add(KeyChangeKind.None, first, $"swapped with {second}");

    /// <summary>The notifications since the last call.</summary>
    public List<(KeyChangeKind Kind, int Database, string Key)> Take()
    {
        lock (_gate)
        {
            List<(KeyChangeKind Kind, int Database, string Key)> taken = _changes;
            _changes = [];
            return taken;
        }
    }

    private void Add(KeyChangeKind kind, int database, string key)
    {
        lock (_gate)
            _changes.Add((kind, database, key));
    }
}
