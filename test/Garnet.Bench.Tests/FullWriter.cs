// An output without space. Any thread.
using System.Text;

namespace Garnet.Bench.Tests;

/// <summary>Fails as a file on a full disk does.</summary>
internal sealed class FullWriter : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => throw new IOException("No space left on device");
}
