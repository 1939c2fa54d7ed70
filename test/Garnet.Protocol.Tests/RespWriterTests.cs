// The bytes of every kind of reply in both protocol versions. Single-threaded.
using System.Buffers;
using System.Text;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class RespWriterTests
{
    private delegate void Write(ref RespWriter writer);

    [Fact]
    public void Replies_have_the_forms_of_their_protocol_version()
    {
        Expect("+OK\r\n", "+OK\r\n", (ref RespWriter w) => w.WriteOk());
        Expect("+PONG\r\n", "+PONG\r\n", (ref RespWriter w) => w.WriteSimpleString("PONG"u8));
        Expect("-ERR a  b\r\n", "-ERR a  b\r\n", (ref RespWriter w) => w.WriteError("ERR a\r\nb\r\n"u8));
        Expect("-ERR é\r\n", "-ERR é\r\n", (ref RespWriter w) => w.WriteError("ERR é"));
        Expect("$0\r\n\r\n", "$0\r\n\r\n", (ref RespWriter w) => w.WriteBulk(""u8));
        Expect("$12\r\nhello\r\nworld\r\n", "$12\r\nhello\r\nworld\r\n", (ref RespWriter w) => w.WriteBulk("hello\r\nworld"));
        Expect("$3\r\né1\r\n", "$3\r\né1\r\n", (ref RespWriter w) => w.WriteBulk("é1"));
        Expect("$3\r\n-42\r\n", "$3\r\n-42\r\n", (ref RespWriter w) => w.WriteBulkInteger(-42));
        Expect("$3\r\n1.5\r\n", "$3\r\n1.5\r\n", (ref RespWriter w) => w.WriteBulkDouble(1.5));
        Expect("$3\r\n1.5\r\n", ",1.5\r\n", (ref RespWriter w) => w.WriteDouble(1.5));
        Expect("$4\r\n-inf\r\n", ",-inf\r\n", (ref RespWriter w) => w.WriteDouble(double.NegativeInfinity));
        Expect("$-1\r\n", "_\r\n", (ref RespWriter w) => w.WriteNull());
        Expect("*-1\r\n", "_\r\n", (ref RespWriter w) => w.WriteNullArray());
        Expect(
            ":1\r\n:0\r\n",
            "#t\r\n#f\r\n",
            (ref RespWriter w) =>
            {
                w.WriteBool(true);
                w.WriteBool(false);
            }
        );
        Expect("*3\r\n", "*3\r\n", (ref RespWriter w) => w.WriteArray(3));
        Expect("*6\r\n", "%3\r\n", (ref RespWriter w) => w.WriteMap(3));
        Expect("*30\r\n", "~30\r\n", (ref RespWriter w) => w.WriteSet(30));
        Expect("*300\r\n", ">300\r\n", (ref RespWriter w) => w.WritePush(300));
        Expect("$2\r\nhi\r\n", "=6\r\ntxt:hi\r\n", (ref RespWriter w) => w.WriteVerbatim("txt"u8, "hi"u8));
        Expect("$3\r\n123\r\n", "(123\r\n", (ref RespWriter w) => w.WriteBigNumber("123"u8));
        Expect("anything", "anything", (ref RespWriter w) => w.WriteRaw("anything"u8));
        Assert.Equal("|1\r\n", Render(3, (ref RespWriter w) => w.WriteAttribute(1)));
        Assert.Throws<InvalidOperationException>(() => Render(2, (ref RespWriter w) => w.WriteAttribute(1)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(-1)]
    [InlineData(long.MaxValue)]
    [InlineData(long.MinValue)]
    public void Integers_of_every_length_are_written(long value) =>
        Expect($":{value}\r\n", $":{value}\r\n", (ref RespWriter w) => w.WriteInteger(value));

    [Fact]
    public void Payloads_of_any_length_pass_through_small_spans()
    {
        foreach (int length in (int[])[0, 1, 9, 10, 99, 100, 511, 512, 1023, 1024, 1025, 4096, 65535, 65536, 65537, 1_000_000])
        {
            byte[] payload = new byte[length];
            new Random(length).NextBytes(payload);
            var output = new SmallSpans();
            var writer = new RespWriter(output, 2);
            writer.WriteOk();
            writer.WriteBulk(payload);
            writer.WriteInteger(5);
            writer.Complete();
            byte[] expected = [.. "+OK\r\n"u8, .. Encoding.ASCII.GetBytes($"${length}\r\n"), .. payload, .. "\r\n:5\r\n"u8];
            Assert.True(expected.AsSpan().SequenceEqual(output.Written));
            Assert.Equal(expected.Length, writer.BytesWritten);
        }
    }

    [Fact]
    public void A_begun_bulk_counts_only_when_ended_and_can_start_over()
    {
        var output = new SmallSpans();
        var writer = new RespWriter(output, 3);
        writer.WriteInteger(1);
        writer.BeginBulk(3).Fill((byte)'x');
        writer.BeginBulk(RespWriter.MaxReservedBulkBytes).Fill((byte)'y');
        "hello, world"u8.CopyTo(writer.BeginBulk(12));
        writer.EndBulk();
        writer.BeginBulk(5).Fill((byte)'z');
        writer.WriteNull();
        writer.BeginBulk(0);
        writer.EndBulk();
        writer.Complete();
        Assert.Equal(":1\r\n$12\r\nhello, world\r\n_\r\n$0\r\n\r\n", Encoding.ASCII.GetString(output.Written));
    }

    [Fact]
    public void Ending_a_bulk_that_was_not_begun_is_refused()
    {
        Assert.Throws<InvalidOperationException>(() => Render(2, (ref RespWriter w) => w.EndBulk()));
        Assert.Throws<InvalidOperationException>(() =>
            Render(
                2,
                (ref RespWriter w) =>
                {
                    w.BeginBulk(1);
                    w.WriteOk();
                    w.EndBulk();
                }
            )
        );
        Assert.Throws<ArgumentOutOfRangeException>(() => Render(2, (ref RespWriter w) => w.BeginBulk(RespWriter.MaxReservedBulkBytes + 1)));
    }

    [Fact]
    public void Suppressed_replies_leave_no_bytes()
    {
        string text = Render(
            2,
            (ref RespWriter w) =>
            {
                w.WriteInteger(1);
                w.Suppressed = true;
                w.WriteBulk(new byte[100_000]);
                w.WriteError("ERR x"u8);
                w.BeginBulk(60_000).Clear();
                w.EndBulk();
                Assert.Equal(4, w.BytesWritten);
                Assert.Equal(1, w.ErrorCount);
                w.Suppressed = false;
                w.WriteInteger(2);
                Assert.Equal(8, w.BytesWritten);
            }
        );
        Assert.Equal(":1\r\n:2\r\n", text);
    }

    [Fact]
    public void The_protocol_version_may_change_between_replies()
    {
        Assert.Equal(
            "$-1\r\n_\r\n",
            Render(
                2,
                (ref RespWriter w) =>
                {
                    w.WriteNull();
                    w.ProtocolVersion = 3;
                    w.WriteNull();
                }
            )
        );
    }

    [Fact]
    public void Elements_can_be_written_before_their_count()
    {
        using var aside = new ReplyBuffer();
        var elements = new RespWriter(aside, 2);
        for (int i = 0; i < 1000; i++)
            elements.WriteInteger(i);
        elements.Complete();
        string text = Render(
            2,
            (ref RespWriter w) =>
            {
                w.WriteArray(1000);
                w.WriteRaw(aside.Written);
            }
        );
        Assert.Equal("*1000\r\n" + string.Concat(Enumerable.Range(0, 1000).Select(i => $":{i}\r\n")), text);
    }

    [Fact]
    public void Writing_allocates_nothing_in_steady_state()
    {
        var output = new ReplyBuffer();
        byte[] payload = new byte[3000];
        for (int round = 0; round < 3; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 200; i++)
            {
                var writer = new RespWriter(output, i % 2 + 2);
                writer.WriteOk();
                writer.WriteError("ERR x"u8);
                writer.WriteError("ERR y");
                writer.WriteBulk("text");
                writer.WriteBulk(payload);
                writer.WriteDouble(1.0 / 3 * i);
                writer.WriteMap(i);
                writer.BeginBulk(100);
                writer.EndBulk();
                writer.Suppressed = true;
                writer.WriteBulk(payload);
                writer.Suppressed = false;
                writer.WriteNull();
                writer.Complete();
                output.Clear();
            }
            if (round > 0)
                Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    private static void Expect(string resp2, string resp3, Write write)
    {
        Assert.Equal(resp2, Render(2, write));
        Assert.Equal(resp3, Render(3, write));
    }

    private static string Render(int version, Write write)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new RespWriter(output, version);
        write(ref writer);
        writer.Complete();
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }

    // Gives never more than is asked for, so that every write meets the end of a span.
    private sealed class SmallSpans : IBufferWriter<byte>
    {
        private readonly List<byte> _written = [];
        private byte[] _current = [];

        public byte[] Written => [.. _written];

        public void Advance(int count) => _written.AddRange(_current.AsSpan(0, count));

        public Memory<byte> GetMemory(int sizeHint = 0) => _current = new byte[Math.Max(sizeHint, 1)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
