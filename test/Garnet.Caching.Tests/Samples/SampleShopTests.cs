// The sample application, driven by HTTP and looked into by RESP, as its README says.
using System.Net;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.Samples;

public sealed class SampleShopTests
{
    [Fact]
    public async Task The_sample_does_what_its_readme_says()
    {
        (SampleShop shop, Uri address) = await SampleShop.StartAsync();
        using (shop)
        using (
            HttpClient http = new(new HttpClientHandler { CookieContainer = new CookieContainer() })
            {
                BaseAddress = address,
                Timeout = TimeSpan.FromSeconds(30),
            }
        )
        using (var resp = RespExchange.Connect(shop.EndPoint))
        {
            Assert.Equal("1", await http.GetStringAsync("/visits"));
            Assert.Equal("2", await http.GetStringAsync("/visits"));
            Assert.Equal("$1\r\n2\r\n", resp.ExecuteText("GET", "visits"));

            foreach (string number in (string[])["1", "2"])
            {
                using HttpResponseMessage ordered = await http.PostAsync("/order/tea", null);
                Assert.Equal(number, await ordered.Content.ReadAsStringAsync());
            }

            Assert.Equal("$1\r\n2\r\n", resp.ExecuteText("HGET", "sold", "tea"));

            string price = await http.GetStringAsync("/price/tea");
            Assert.Equal("301", price);
            Assert.Equal(price, await http.GetStringAsync("/price/tea"));
            Assert.Equal("602", await http.GetStringAsync("/price/coffee"));
            string left = resp.ExecuteText("PTTL", "shop:entry:price:tea")!;
            Assert.InRange(int.Parse(left.Trim(':', '\r', '\n')), 1, 300_000);

            Assert.Equal("catalogue 1", await http.GetStringAsync("/catalogue"));
            Assert.Equal("catalogue 1", await http.GetStringAsync("/catalogue"));
            using (HttpResponseMessage evicted = await http.PostAsync("/catalogue", null))
                Assert.Equal(HttpStatusCode.NoContent, evicted.StatusCode);
            Assert.Equal("catalogue 2", await http.GetStringAsync("/catalogue"));

            using (HttpResponseMessage counted = await http.PostAsync("/stocktaking", null))
                Assert.True(long.Parse(await counted.Content.ReadAsStringAsync()) > 0);

            Assert.Equal("", await http.GetStringAsync("/basket"));
            foreach (string article in (string[])["tea", "cup"])
            {
                using HttpResponseMessage added = await http.PostAsync("/basket/" + article, null);
                Assert.Equal(HttpStatusCode.OK, added.StatusCode);
            }

            Assert.Equal("tea,cup", await http.GetStringAsync("/basket"));
            using HttpClient other = new() { BaseAddress = address };
            Assert.Equal("", await other.GetStringAsync("/basket"));
        }
    }

    [Fact]
    public async Task Two_instances_share_their_caches()
    {
        (SampleShop first, Uri firstAddress) = await SampleShop.StartAsync();
        using (first)
        {
            (SampleShop second, Uri secondAddress) = await SampleShop.StartAsync("unix:" + first.Socket);
            using (second)
            using (HttpClient one = new() { BaseAddress = firstAddress, Timeout = TimeSpan.FromSeconds(30) })
            using (HttpClient other = new() { BaseAddress = secondAddress, Timeout = TimeSpan.FromSeconds(30) })
            {
                Assert.Equal("301", await one.GetStringAsync("/price/tea"));
                Assert.Equal("301", await other.GetStringAsync("/price/tea"));
                // The other one's warehouse counts for itself.
                Assert.Equal("601", await other.GetStringAsync("/price/coffee"));
                using (HttpResponseMessage removed = await one.DeleteAsync("/prices"))
                    Assert.Equal(HttpStatusCode.NoContent, removed.StatusCode);
                Assert.Equal("302", await other.GetStringAsync("/price/tea"));
                Assert.Equal("302", await one.GetStringAsync("/price/tea"));
                // One of them looks it up.
                string[] both = await Task.WhenAll(one.GetStringAsync("/price/cup"), other.GetStringAsync("/price/cup"));
                Assert.Equal(both[0], both[1]);
                var searches = new HttpStatusCode[6];
                for (int i = 0; i < searches.Length; i++)
                {
                    using HttpResponseMessage found = await (i % 2 == 0 ? one : other).GetAsync("/search/tea");
                    searches[i] = found.StatusCode;
                }

                Assert.Equal([.. Enumerable.Repeat(HttpStatusCode.OK, 5), HttpStatusCode.TooManyRequests], searches);
                Assert.Equal("catalogue 1", await other.GetStringAsync("/catalogue"));
                using (HttpResponseMessage evicted = await one.PostAsync("/catalogue", null))
                    Assert.Equal(HttpStatusCode.NoContent, evicted.StatusCode);
                Assert.Equal("catalogue 2", await other.GetStringAsync("/catalogue"));
            }
        }
    }
}
