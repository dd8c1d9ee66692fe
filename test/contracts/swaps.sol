// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// A quoter and a router with the functions of Uniswap's QuoterV2 and SwapRouter02 that the service calls, for
// tests on a development chain. They are not audited and are no contracts for production.

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Holds the prices of its pools and pays from its own tokens. It is the wrapper of coins, too.
contract TestRouter {
    struct Quote {
        address tokenIn;
        address tokenOut;
        uint256 amountIn;
        uint24 fee;
        uint160 sqrtPriceLimitX96;
    }

    struct Swap {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    /// Output for 100 units of input, by the fee of the pool.
    mapping(uint24 => uint256) public price;

    receive() external payable {}

    function setPrice(uint24 fee, uint256 value) external {
        price[fee] = value;
    }

    function quoteExactInputSingle(Quote memory asked)
        public
        view
        returns (uint256 amountOut, uint160, uint32, uint256)
    {
        require(price[asked.fee] > 0, "no pool");
        return (asked.amountIn * price[asked.fee] / 100, 0, 0, 0);
    }

    function multicall(uint256 deadline, bytes[] calldata data) external payable {
        require(block.timestamp <= deadline, "Transaction too old");
        for (uint256 i = 0; i < data.length; i++) {
            (bool isDone, bytes memory answer) = address(this).delegatecall(data[i]);
            if (!isDone) {
                assembly {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
        }
    }

    function exactInputSingle(Swap calldata swap) external payable returns (uint256 amountOut) {
        amountOut = swap.amountIn * price[swap.fee] / 100;
        require(amountOut >= swap.amountOutMinimum, "Too little received");
        if (swap.tokenIn == address(this)) require(msg.value == swap.amountIn, "no coins");
        else Token(swap.tokenIn).transferFrom(msg.sender, address(this), swap.amountIn);
        if (swap.tokenOut == address(this)) require(swap.recipient == address(2), "not unwrapped");
        else if (swap.recipient != address(2)) Token(swap.tokenOut).transfer(swap.recipient, amountOut);
    }

    function unwrapWETH9(uint256 amountMinimum, address recipient) external payable {
        pay(recipient, amountMinimum);
    }

    /// Uniswap's router passes on all that it has. This one has its reserve too, so it passes on the minimum.
    function unwrapWETH9WithFee(uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient)
        external
        payable
    {
        require(feeBips > 0 && feeBips <= 100);
        uint256 fee = amountMinimum * feeBips / 10_000;
        pay(feeRecipient, fee);
        pay(recipient, amountMinimum - fee);
    }

    function sweepTokenWithFee(
        address token,
        uint256 amountMinimum,
        address recipient,
        uint256 feeBips,
        address feeRecipient
    ) external payable {
        require(feeBips > 0 && feeBips <= 100);
        uint256 fee = amountMinimum * feeBips / 10_000;
        Token(token).transfer(feeRecipient, fee);
        Token(token).transfer(recipient, amountMinimum - fee);
    }

    function pay(address to, uint256 value) private {
        (bool isDone,) = to.call{value: value}("");
        require(isDone, "not paid");
    }
}
