// Parsing and writing RESP, without a store or a socket.
using System.Text;
using BenchmarkDotNet.Attributes;
using Garnet.Protocol;

namespace Garnet.Microbenchmarks;

/// <summary>Nanoseconds per parsed request and per written reply.</summary>
[MemoryDiagnoser(displayGenColumns: false)]
public class RespBenchmarks
{
    private const int Requests = 64;
    private readonly RequestParser _parser = new();
    private readonly ArgumentTable _arguments = new();
    private readonly ReplyBuffer _output = new();
    private readonly byte[] _value = new byte[64];
    private byte[] _sets = [];

    /// <summary>Builds a pipeline of SETs and checks that it parses.</summary>
    [GlobalSetup]
    public void Build()
    {
        StringBuilder text = new();
        for (int i = 0; i < Requests; i++)
            text.Append("*3\r\n$3\r\nSET\r\n$16\r\nmemtier-").Append(i.ToString("D8")).Append("\r\n$64\r\n").Append('x', 64).Append("\r\n");
        _sets = Encoding.ASCII.GetBytes(text.ToString());
        if (ParseSets() != Requests * 3)
            throw new InvalidOperationException("The pipeline does not parse.");
    }

    /// <summary>Parses SET requests with 64-byte values.</summary>
    [Benchmark(OperationsPerInvoke = Requests)]
    public int ParseSets()
    {
        _arguments.Clear();
        int position = 0;
        while (_parser.Parse(_sets, ref position, _arguments, out _) == ParseStatus.Complete) { }

        return _arguments.Count;
    }

    /// <summary>Writes bulk replies of 64 bytes.</summary>
    [Benchmark(OperationsPerInvoke = Requests)]
    public long WriteBulks()
    {
        _output.Clear();
        RespWriter writer = new(_output, 2);
        for (int i = 0; i < Requests; i++)
            writer.WriteBulk(_value);
        writer.Flush();
        return writer.BytesWritten;
    }

    /// <summary>Writes integer replies of up to seven digits.</summary>
    [Benchmark(OperationsPerInvoke = Requests)]
    public long WriteIntegers()
    {
        _output.Clear();
        RespWriter writer = new(_output, 2);
        for (int i = 0; i < Requests; i++)
            writer.WriteInteger(i * 100_003);
        writer.Flush();
        return writer.BytesWritten;
    }
}
