// String payloads compared with payloads recorded from a Valkey 9.1.2 server (Recorded/strings.tsv): equal except for version and checksum.
using Garnet.Persistence.Rdb;
using Xunit;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class StringPayloadTests
{
    private const int FooterBytes = 10;

    [Fact]
    public void A_payload_equals_that_of_Valkey()
    {
        var writer = new RdbPayloadWriter(compress: true, LoadedStore.FormatScore);
        int cases = 0;
        foreach (string[] line in Lines())
        {
            byte[] expected = Convert.FromHexString(line[1]);
            ReadOnlySpan<byte> actual = writer.EncodeString(Convert.FromHexString(line[0]));
            Assert.Equal(Convert.ToHexString(expected.AsSpan()[..^FooterBytes]), Convert.ToHexString(actual[..^FooterBytes]));
            Assert.Equal(10, actual[^FooterBytes]);
            cases++;
        }

        Assert.True(cases > 200);
    }

    [Fact]
    public void Without_compression_a_long_value_is_written_as_it_is()
    {
        ReadOnlySpan<byte> actual = new RdbPayloadWriter(compress: false, LoadedStore.FormatScore).EncodeString(new byte[100]);
        Assert.Equal(1 + 2 + 100 + FooterBytes, actual.Length);
    }

    private static IEnumerable<string[]> Lines() =>
        File.ReadLines(Path.Combine(AppContext.BaseDirectory, "Rdb", "Recorded", "strings.tsv")).Select(line => line.Split('\t'));
}
