// Requests from templates.
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Xunit;

namespace Garnet.Bench.Tests.Workloads;

public sealed class CommandTemplateTests
{
    [Theory]
    [InlineData("PING", "*1\r\n$4\r\nPING\r\n")]
    [InlineData("SET __key__ __data__", "*3\r\n$3\r\nSET\r\n$5\r\nkey:7\r\n$3\r\nVAL\r\n")]
    [InlineData("SET __key____data__ x", "*3\r\n$3\r\nSET\r\n$8\r\nkey:7VAL\r\n$1\r\nx\r\n")]
    [InlineData("GET {a}__rand_int__", "*2\r\n$3\r\nGET\r\n$15\r\n{a}000000000007\r\n")]
    [InlineData("GET __rand_int", "*2\r\n$3\r\nGET\r\n$10\r\n__rand_int\r\n")]
    [InlineData("GET ___key___", "*2\r\n$3\r\nGET\r\n$7\r\n_key:7_\r\n")]
    [InlineData("ECHO \"\"", "*2\r\n$4\r\nECHO\r\n$0\r\n\r\n")]
    [InlineData("ECHO \u00fc\u20ac", "*2\r\n$4\r\nECHO\r\n$5\r\n\u00fc\u20ac\r\n")]
    public void A_template_becomes_a_request(string template, string expected)
    {
        BenchOptions options = TestOptions.Parse("--key-minimum", "7", "--key-maximum", "7", "-d", "3");
        string request = Render(template, options, 1)[0];
        string value = Encoding.UTF8.GetString(new ValuePool(options).Bytes(new ValueSlice(0, 3)));
        Assert.Equal(expected.Replace("VAL", value, StringComparison.Ordinal), request);
    }

    [Fact]
    public void Each_key_of_a_request_is_the_next_of_its_sequence()
    {
        string[] requests = Render("MGET __key__ __key__", TestOptions.Parse("-r", "3", "--key-pattern", "S"), 2);
        Assert.Equal(["0 1", "2 0"], requests.Select(static request => Numbers(request, "key:")));
    }

    [Fact]
    public void Shared_numbers_are_the_same_throughout_a_request()
    {
        string[] requests = Render("MSET a:__rand_1st__ a:__rand_1st__ b:__rand_2nd__ c:__rand_int__", TestOptions.Parse(), 50);
        foreach (string request in requests)
        {
            string[] first = Numbers(request, "a:").Split(' ');
            Assert.Equal(first[0], first[1]);
        }

        Assert.True(requests.Select(static request => Numbers(request, "a:")).Distinct().Count() > 40);
        Assert.Contains(requests, static request => Numbers(request, "a:").Split(' ')[0] != Numbers(request, "b:"));
    }

    [Fact]
    public void Numbers_count_up_where_that_is_wanted()
    {
        string[] requests = Render("ECHO x:__rand_int__ y:__rand_1st__", TestOptions.Parse("--sequential", "-r", "3"), 4);
        Assert.Equal(["0", "1", "2", "0"], requests.Select(static request => Numbers(request, "x:")));
        Assert.Equal(["0", "1", "2", "0"], requests.Select(static request => Numbers(request, "y:")));
    }

    [Fact]
    public void Threads_that_count_up_use_each_number_once()
    {
        BenchOptions options = TestOptions.Parse("--sequential", "-r", "6", "--threads", "3");
        string[] numbers =
        [
            .. Enumerable.Range(0, 3).SelectMany(thread => Render("ECHO x:__rand_int__", options, 2, thread)).Select(r => Numbers(r, "x:")),
        ];
        Assert.Equal(["0", "1", "2", "3", "4", "5"], numbers.Order());
    }

    // The buffer holds exactly as many bytes as the template promises to need: a longer request would throw.
    [Theory]
    [InlineData("SET __key__ __data__")]
    [InlineData("MSET __key____data____rand_int__ x__data__ __key__ __data__")]
    public void No_request_is_longer_than_its_template_says(string template)
    {
        BenchOptions options = TestOptions.Parse("--data-size-range", "1-5000", "-r", "1000000000000");
        Assert.Equal(1000, Render(template, options, 1000).Length);
    }

    [Fact]
    public void Too_large_requests_are_refused()
    {
        string text = "MSET" + string.Concat(Enumerable.Repeat(" __key__ __data__", 10));
        BenchException failure = Assert.Throws<BenchException>(() => Render(text, TestOptions.Parse("-d", "500000000"), 1));
        Assert.Contains("choose smaller values", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_name_is_refused() => Assert.Throws<BenchException>(static () => Render("''", TestOptions.Parse(), 1));

    private static string[] Render(string text, BenchOptions options, int count, int thread = 0)
    {
        var template = CommandTemplate.Compile(CommandWords.Split(text), options);
        var source = new RequestSource(options, new ValuePool(options), thread);
        var keys = KeySequence.Create(options.Keys.ReadPattern, options.Keys, source.Random, 0, 1);
        string[] requests = new string[count];
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = new byte[template.MaxBytes];
            source.Begin(keys);
            requests[i] = Encoding.UTF8.GetString(buffer, 0, template.Write(buffer, source));
        }

        return requests;
    }

    // The numbers that follow a prefix, without leading zeros.
    private static string Numbers(string request, string prefix) =>
        string.Join(' ', Regex.Matches(request, prefix + "([0-9]+)").Select(static match => long.Parse(match.Groups[1].Value)));
}
