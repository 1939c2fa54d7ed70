// Keeps external arguments for tests, each as an array of its own. Single-threaded.
namespace Garnet.Protocol.Tests;

/// <summary>A keeper without limits.</summary>
internal sealed class KeptArguments : IExternalArguments
{
    private readonly List<byte[]> _kept = [];

    public int Keep(ReadOnlySpan<byte> argument)
    {
        _kept.Add(argument.ToArray());
        return _kept.Count - 1;
    }

    public ReadOnlySpan<byte> Get(int handle, int length) => _kept[handle].AsSpan(0, length);
}
