// The features of one connection: those the connection implements, and the few that others set. Not thread-safe, like Kestrel's own.
using System.Collections;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Network.Connections;

/// <summary>A list instead of a dictionary: an idle connection should cost little, and Kestrel sets four.</summary>
internal sealed class ConnectionFeatureSet(StreamConnection connection) : IFeatureCollection
{
    private KeyValuePair<Type, object>[] _set = [];
    private int _count;
    private int _revision;

    public bool IsReadOnly => false;

    public int Revision => _revision;

    public object? this[Type key]
    {
        get
        {
            for (int i = 0; i < _count; i++)
            {
                if (_set[i].Key == key)
                    return _set[i].Value;
            }
            return BuiltIn(key);
        }
        set => SetOrRemove(key, value);
    }

    public TFeature? Get<TFeature>() => (TFeature?)this[typeof(TFeature)];

    public void Set<TFeature>(TFeature? instance) => SetOrRemove(typeof(TFeature), instance);

    public IEnumerator<KeyValuePair<Type, object>> GetEnumerator()
    {
        for (int i = 0; i < _count; i++)
            yield return _set[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private object? BuiltIn(Type key)
    {
        if (
            key == typeof(IConnectionAffinity)
            || key == typeof(IConnectionHandle)
            || key == typeof(IPeerProbe)
            || key == typeof(IConnectionIdFeature)
            || key == typeof(IConnectionTransportFeature)
            || key == typeof(IConnectionItemsFeature)
            || key == typeof(IConnectionLifetimeFeature)
            || key == typeof(IConnectionEndPointFeature)
        )
        {
            return connection;
        }
        if (key == typeof(IOutputBacklog))
            return connection.Writer;
        // Middleware that installs its own pipe in front (TLS) must not be bypassed.
        if (!ReferenceEquals(connection.Transport, connection))
            return null;
        if (key == typeof(IReferencedSend))
            return connection.Writer;
        return key == typeof(IDirectReceive) ? connection.Reader : null;
    }

    private void SetOrRemove(Type key, object? value)
    {
        _revision++;
        for (int i = 0; i < _count; i++)
        {
            if (_set[i].Key != key)
                continue;
            if (value is null)
                _set[i] = _set[--_count];
            else
                _set[i] = new(key, value);
            return;
        }
        if (value is null)
            return;
        if (_count == _set.Length)
            Array.Resize(ref _set, _count + 4);
        _set[_count++] = new(key, value);
    }
}
