// Enumerates the fields of a latched hash. Lives on the stack.
using Garnet.Store.Collections.Hashes;

namespace Garnet.Modules;

/// <summary>The fields of a hash, for <c>foreach</c>.</summary>
public ref struct HashFields
{
    private HashEnumerator _fields;

    internal HashFields(HashEnumerator fields) => _fields = fields;

    /// <summary>The current field.</summary>
    public readonly HashFieldValue Current
    {
        get
        {
            HashField current = _fields.Current;
            return new HashFieldValue(current.Field, current.Value, current.ExpiresAtMs);
        }
    }

    /// <summary>Goes to the next field; false after the last.</summary>
    public bool MoveNext() => _fields.MoveNext();
}
