// Tells a client that a key it watches changed. Set under the key's latch, read by the watching client.
namespace Garnet.Store;

/// <summary>A flag that any change of the watched keys sets.</summary>
public sealed class KeyWatcher
{
    /// <summary>True once a watched key changed.</summary>
    public bool IsTouched => throw new NotImplementedException();
}
