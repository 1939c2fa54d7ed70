// The events of the commands that a thread is executing, in order, until they are published. One for each thread, which uses it.
using Garnet.Store.Changes;

namespace Garnet.Engine.Events;

/// <summary>
/// Filled under latches, by the store's changes and by the commands themselves; published when the latches are released. Commands of a
/// transaction open and close it one after another inside of EXEC.
/// </summary>
internal sealed class CommandEvents
{
    private const int KeptKeyBytes = 64 * 1024;
    private const int KeptEvents = 1024;

    private readonly List<KeyEvent> _ofEach = [];
    private Entry[] _entries = new Entry[8];
    private byte[] _keys = new byte[256];
    private int _count;
    private int _keyBytes;
    private int _first; // of the current command
    private int _depth;
    private int _removals; // of the current command
    private bool _hidesRemovals;
    private KeyEvent? _insteadOfDel;

    /// <summary>Whether events wait to be published.</summary>
    public bool HasAny => _count > 0;

    /// <summary>Whether a command runs whose events are wanted.</summary>
    public bool IsOpen => _depth > 0;

    /// <summary>A command begins, with the event that its descriptor declares, if any.</summary>
    public void Open(KeyEvent? ofEach)
    {
        _depth++;
        Begin();
        if (ofEach is not null)
            _ofEach.Add(ofEach);
    }

    /// <summary>The command has ended.</summary>
    public void Close()
    {
        _depth--;
        Begin();
    }

    /// <summary>Discards everything, after a command that threw.</summary>
    public void Discard()
    {
        _depth = 0;
        Begin();
        Clear();
    }

    /// <summary>Adds an event for each key that the command will change from here on.</summary>
    public void NotifyEach(KeyEvent keyEvent) => _ofEach.Add(keyEvent);

    /// <summary>The event of keys that the command removes from here on, instead of "del"; null for none.</summary>
    public void NotifyInsteadOfDel(KeyEvent? keyEvent)
    {
        _hidesRemovals = true;
        _insteadOfDel = keyEvent;
    }

    /// <summary>Adds an event of a key.</summary>
    public void Notify(KeyEvent keyEvent, int database, ReadOnlySpan<byte> key)
    {
        int removal = keyEvent.PrecedesRemoval && _removals > 0 ? Find(KeyEvent.Del, database, key) : -1;
        Add(keyEvent, database, key);
        if (removal >= 0)
            MoveLastTo(removal);
    }

    /// <summary>The same, unless the command has added it for this key already.</summary>
    public void NotifyOnce(KeyEvent keyEvent, int database, ReadOnlySpan<byte> key)
    {
        if (Find(keyEvent, database, key) < 0)
            Notify(keyEvent, database, key);
    }

    /// <summary>Discards the events of missed keys: the command will look them up again.</summary>
    public void DiscardMisses()
    {
        int kept = 0;
        for (int i = 0; i < _count; i++)
        {
            if (_entries[i].Event != KeyEvent.Missed)
                _entries[kept++] = _entries[i];
        }

        _count = kept;
        _first = Math.Min(_first, kept);
    }

    /// <summary>A key has changed, while a command is open.</summary>
    public void OnChange(in KeyChange change)
    {
        switch (change.Kind)
        {
            case KeyChangeKind.Created:
                OnCreated(change.Database, change.Key);
                break;
            case KeyChangeKind.Modified:
                NotifyChanged(change.Database, change.Key);
                break;
            case KeyChangeKind.Reduced:
                foreach (KeyEvent each in _ofEach)
                    NotifyOnce(each, change.Database, change.Key);
                break;
            case KeyChangeKind.Removed:
                OnRemoved(change.Database, change.Key);
                break;
            case KeyChangeKind.Expired:
                Add(KeyEvent.Expired, change.Database, change.Key);
                break;
            case KeyChangeKind.Evicted:
                Add(KeyEvent.Evicted, change.Database, change.Key);
                break;
        }
    }

    /// <summary>How many events wait.</summary>
    public int Count => _count;

    /// <summary>One of the events that wait, in their order; its key is valid until the next event is added.</summary>
    public (KeyEvent Event, int Database) this[int index] => (_entries[index].Event, _entries[index].Database);

    /// <summary>The key of one of the events that wait.</summary>
    public ReadOnlySpan<byte> KeyOf(int index) => KeyOf(in _entries[index]);

    private void OnCreated(int database, ReadOnlySpan<byte> key)
    {
        // A key that the command has replaced by removing it first is not new, and was not deleted.
        int removal = _removals > 0 ? Find(KeyEvent.Del, database, key) : -1;
        if (removal >= 0)
            RemoveAt(removal);
        else
            Add(KeyEvent.New, database, key);
        NotifyChanged(database, key, isNew: removal < 0);
    }

    private void NotifyChanged(int database, ReadOnlySpan<byte> key, bool isNew = false)
    {
        foreach (KeyEvent each in _ofEach)
        {
            if (each.IsOfNewKey && !isNew)
                Add(KeyEvent.New, database, key);
            Add(each, database, key);
        }
    }

    private void OnRemoved(int database, ReadOnlySpan<byte> key)
    {
        foreach (KeyEvent each in _ofEach)
        {
            if (each.PrecedesRemoval)
                NotifyOnce(each, database, key);
        }

        if (_hidesRemovals)
        {
            if (_insteadOfDel is not null)
                Add(_insteadOfDel, database, key);
            return;
        }

        _removals++;
        Add(KeyEvent.Del, database, key);
    }

    private void Begin()
    {
        _first = _count;
        _removals = 0;
        _hidesRemovals = false;
        _insteadOfDel = null;
        _ofEach.Clear();
    }

    private void Add(KeyEvent keyEvent, int database, ReadOnlySpan<byte> key)
    {
        if (_count == _entries.Length)
            Array.Resize(ref _entries, _count * 2);
        // The events of one key follow each other.
        if (_count > 0 && KeyOf(in _entries[_count - 1]).SequenceEqual(key))
        {
            _entries[_count] = _entries[_count - 1] with { Event = keyEvent, Database = database };
        }
        else
        {
            if (_keys.Length - _keyBytes < key.Length)
                Array.Resize(ref _keys, (int)Math.Min(Math.Max(_keys.Length * 2L, checked(_keyBytes + key.Length)), Array.MaxLength));
            key.CopyTo(_keys.AsSpan(_keyBytes));
            _entries[_count] = new Entry(keyEvent, database, _keyBytes, key.Length);
            _keyBytes += key.Length;
        }

        _count++;
    }

    private int Find(KeyEvent keyEvent, int database, ReadOnlySpan<byte> key)
    {
        for (int i = _count - 1; i >= _first; i--)
        {
            ref readonly Entry entry = ref _entries[i];
            if (entry.Event == keyEvent && entry.Database == database && KeyOf(in entry).SequenceEqual(key))
                return i;
        }

        return -1;
    }

    private void MoveLastTo(int position)
    {
        Entry last = _entries[_count - 1];
        Array.Copy(_entries, position, _entries, position + 1, _count - 1 - position);
        _entries[position] = last;
    }

    private void RemoveAt(int position)
    {
        _count--;
        _removals--;
        Array.Copy(_entries, position + 1, _entries, position, _count - position);
    }

    /// <summary>Discards the events that wait.</summary>
    public void Clear()
    {
        _count = 0;
        _first = 0;
        _keyBytes = 0;
        if (_keys.Length > KeptKeyBytes)
            _keys = new byte[256];
        if (_entries.Length > KeptEvents)
            _entries = new Entry[8];
    }

    private ReadOnlySpan<byte> KeyOf(in Entry entry) => _keys.AsSpan(entry.KeyStart, entry.KeyLength);

    private readonly record struct Entry(KeyEvent Event, int Database, int KeyStart, int KeyLength);
}
